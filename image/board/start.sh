# The initramfs: find the slot that U-Boot chose, believe its file when the release key has signed it, open the root
# through dm-verity, make or check the state partition, go on. Nothing of the card runs before it was checked, and
# what does not fit is refused with its reason on the console: a slot by starting anew, so that the count of U-Boot
# takes the board back to the other one; a state that is not this board's by standing still, for another slot would
# not make it better.
#
# Words of the kernel: sabot.slot=A|B sabot.disk=/dev/mmcblk0
/bin/busybox --install -s /bin
mount -t proc -o nosuid,nodev,noexec p /proc
mount -t sysfs -o nosuid,nodev,noexec s /sys
mount -t devtmpfs -o nosuid d /dev
mount -t tmpfs -o nosuid,nodev,mode=755 r /run

say() { echo "sabot: $*" > /dev/console; }
now() { cut -d' ' -f1 /proc/uptime; }
refuse() {
  say "REFUSED: $*. Starting anew."
  sleep 2
  reboot -f
  while :; do sleep 60; done
}
stand_still() {
  say "STOPPED: $*"
  while :; do sleep 60; done
}

# The state has the rest of the card, whatever its size: three rows of the partition tables say so, at the first boot.
grow() {
  block=${disk#/dev/}
  sectors=$(($(cat "/sys/block/$block/size") / 2048 * 2048))
  [ "$(cat "/sys/class/block/${state#/dev/}/size")" != $((sectors - state_start)) ] || return 0
  put32 506 $((sectors - extended_start))
  put32 $((before_link * 512 + 474)) $((sectors - state_table))
  put32 $((state_table * 512 + 458)) $((sectors - state_start))
  sync
  blockdev --rereadpt "$disk" 2> /dev/null && return 0
  # Nothing was made of it yet: the next start finds the new rows.
  say "the card is read anew at the next start, which is now"
  reboot -f
  while :; do sleep 60; done
}
put32() {
  printf "$(printf '\\x%02x\\x%02x\\x%02x\\x%02x' $(($2 & 255)) $(($2 >> 8 & 255)) $(($2 >> 16 & 255)) $(($2 >> 24 & 255)))" |
    dd of="$disk" bs=1 seek="$1" conv=notrunc 2> /dev/null
}
# In sectors, as image/card.py lays them out.
extended_start=262144 before_link=808960 state_table=833536 state_start=835584

# A first boot that is cut off is a first boot once more: a note beside the table says so until the state is whole.
note_first() {
  printf '%s' "$1" | dd of="$disk" bs=512 seek=$((state_table + 1)) count=1 conv=notrunc,sync 2> /dev/null
  [ -n "$1" ] || dd if=/dev/zero of="$disk" bs=512 seek=$((state_table + 1)) count=1 conv=notrunc 2> /dev/null
  sync
}

slot= disk=/dev/mmcblk0
for word in $(cat /proc/cmdline); do
  case $word in
    sabot.slot=A | sabot.slot=B) slot=${word#*=} ;;
    sabot.disk=/dev/mmcblk[0-9] | sabot.disk=/dev/vd[a-z] | sabot.disk=/dev/sd[a-z]) disk=${word#*=} ;;
  esac
done
while read -r name; do
  insmod "/lib/modules/$name.ko" 2> /tmp/insmod || say "module $name: $(cat /tmp/insmod)"
done < /lib/modules/order
case $slot in A) boot=2 root=5 ;; B) boot=3 root=6 ;; *) refuse "no slot is named" ;; esac
case $disk in *[0-9]) p=${disk}p ;; *) p=$disk ;; esac
count=0
while [ ! -b "${p}8" ] && [ $count -lt 150 ]; do sleep 0.1; count=$((count + 1)); done
[ -b "${p}8" ] || refuse "there is no card with eight partitions at $disk"

# The slot file. It is copied first: what is checked is what is read.
mount -t vfat -o ro,nosuid,nodev,noexec "$p$boot" /slot || refuse "slot $slot has no boot files"
mkdir -m 755 /run/sabot-slot
for name in slot.conf slot.sig; do
  head -c 4096 /slot/$name > /run/sabot-slot/$name || refuse "slot $slot has no $name"
done
umount /slot
cd /run/sabot-slot
OPENSSL_CONF=/etc/openssl.cnf /bin/openssl pkeyutl -verify -pubin -inkey /etc/release.pub -rawin -in slot.conf -sigfile slot.sig > /tmp/said 2>&1 ||
  refuse "the file of slot $slot is not signed by the release key"
row() { sed -n "s/^$1=\([0-9a-z. -]*\)\$/\1/p" slot.conf; }
[ "$(row purpose)" = "sabot slot 1" ] || refuse "slot $slot has a signed file that is none of a slot"
[ "$(row compatible)" = "$(cat /etc/compatible)" ] || refuse "slot $slot is made for $(row compatible)"
root_hash=$(row root_hash) hash_offset=$(row hash_offset)
echo "$slot" > slot
cd /

state=${p}8
is_first=no
[ "$(dd if="$disk" bs=512 skip=$((state_table + 1)) count=1 2> /dev/null | head -c 11)" = "sabot first" ] && is_first=yes
[ "$(head -c 1049600 "$state" | tr -d '\000' | head -c 1 | wc -c)" = 0 ] && is_first=yes && grow
count=0
while [ ! -b "$state" ] && [ $count -lt 50 ]; do sleep 0.1; count=$((count + 1)); done

# A block that was changed after this is found when it is read: the kernel then starts anew, never with an error
# that a program might take for something else.
/bin/veritysetup open "$p$root" root "$p$root" "$root_hash" --hash-offset="$hash_offset" --restart-on-corruption > /tmp/said 2>&1 ||
  refuse "the root of slot $slot is not the one that was signed ($(tail -n 1 /tmp/said))"
mount -t squashfs -o ro,nodev /dev/mapper/root /newroot || refuse "the root of slot $slot cannot be mounted"

# Whose state it is. A board says who it is by the number that its maker gave it. A state that another board made is
# only read, and not even mended.
board=none
[ -s /proc/device-tree/serial-number ] && board=$(tr -d '\000' < /proc/device-tree/serial-number | sha256sum | cut -d' ' -f1)
verify_board() {
  [ ! -e "$1/board" ] || [ "$(cat "$1/board")" = "$board" ] ||
    stand_still "this card holds the state of another board. Nothing was changed. Give this board a card of its own (docs/image.md, a board is replaced)"
}
if [ $is_first = no ] && mount -t ext4 -o ro,noload "$state" /slot; then
  verify_board /slot
  umount /slot
fi

# The state. Empty is a first boot; anything that is neither empty nor a file system of ours is somebody's, and stays.
if [ $is_first = yes ]; then
  say "first boot: the state partition is made"
  note_first "sabot first"
  /bin/mke2fs -q -t ext4 -E lazy_itable_init=0,lazy_journal_init=0 -L sabot-state "$state" > /tmp/said 2>&1 ||
    stand_still "the state partition cannot be made: $(tail -n 1 /tmp/said)"
fi
/bin/e2fsck -p "$state" > /tmp/said 2>&1
code=$?
[ $code -lt 4 ] || stand_still "the state partition is damaged beyond what may be mended without a person ($(tail -n 1 /tmp/said)). Take the card to a technician: docs/image.md"
[ $code -eq 0 ] || say "the state partition was mended: $(tail -n 1 /tmp/said)"
mount -t ext4 -o noatime,nosuid,nodev,noexec,data=journal "$state" /newroot/var || stand_still "the state partition cannot be mounted"

verify_board /newroot/var
if [ ! -e /newroot/var/board ]; then
  echo "$board" > /newroot/var/board.new && sync && mv /newroot/var/board.new /newroot/var/board
  tr -d - < /proc/sys/kernel/random/uuid > /newroot/var/machine-id
  sync
fi
[ $is_first = no ] || note_first ""

for name in lib/sabot-settings lib/sabot-slot log tmp; do mkdir -p "/newroot/var/$name"; done
chmod 1777 /newroot/var/tmp
ln -sfn /run /newroot/var/run
ln -sfn /run/lock /newroot/var/lock
mount -o bind /newroot/var/machine-id /newroot/etc/machine-id
# Settings may be changed; the key that releases are checked with is part of the root and covers whatever lies there.
mount -o bind /newroot/var/lib/sabot-settings /newroot/etc/sabot
: > /newroot/var/lib/sabot-settings/release.pub
mount -o bind /newroot/usr/share/sabot/release.pub /newroot/etc/sabot/release.pub
say "slot $slot, version $(sed -n 's/^version=//p' /run/sabot-slot/slot.conf): root and state are good after $(now) s"
for name in proc sys dev run; do mount -o move /$name /newroot/$name; done
exec switch_root /newroot /usr/lib/systemd/systemd
