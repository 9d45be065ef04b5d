# U-Boot's script: which slot. RAUC's variables: BOOT_ORDER "A B", BOOT_A_LEFT and BOOT_B_LEFT are tries left,
# taken off and saved before each try, given back by the board when the slot has proved good.
test -n "${BOOT_ORDER}" || setenv BOOT_ORDER "A B"
test -n "${BOOT_A_LEFT}" || setenv BOOT_A_LEFT 3
# A new card has nothing in B.
test -n "${BOOT_B_LEFT}" || setenv BOOT_B_LEFT 0
setenv slot
for s in ${BOOT_ORDER}; do
  if test "x${slot}" != "x"; then
    true
  elif test "x${s}" = "xA"; then
    if test ${BOOT_A_LEFT} -gt 0; then
      setexpr BOOT_A_LEFT ${BOOT_A_LEFT} - 1
      setenv slot A; setenv bootp 2
    fi
  elif test "x${s}" = "xB"; then
    if test ${BOOT_B_LEFT} -gt 0; then
      setexpr BOOT_B_LEFT ${BOOT_B_LEFT} - 1
      setenv slot B; setenv bootp 3
    fi
  fi
done
if test "x${slot}" = "x"; then
  echo "sabot: no slot has a try left, each gets its tries back"
  setenv BOOT_A_LEFT 3; setenv BOOT_B_LEFT 3
  saveenv
  reset
fi
echo "sabot: slot ${slot}, tries left A=${BOOT_A_LEFT} B=${BOOT_B_LEFT}, order ${BOOT_ORDER}"
saveenv
setenv bootargs "console=ttyAMA0,115200 quiet panic=5 sabot.slot=${slot} rauc.slot=${slot} sabot.disk=/dev/mmcblk0 systemd.show_status=0"
# Addresses of our own: Debian's kernel unpacked ends 64 kB below the usual ramdisk_addr_r.
setenv kernel_comp_addr_r 0x18000000; setenv ramdisk_addr_r 0x10000000
if load mmc 0:${bootp} ${kernel_addr_r} Image.gz; then
  setenv kernel_comp_size ${filesize}
  load mmc 0:${bootp} ${ramdisk_addr_r} initrd && booti ${kernel_addr_r} ${ramdisk_addr_r}:${filesize} ${fdt_addr}
fi
echo "sabot: slot ${slot} could not be loaded"
sleep 2
reset
