#!/bin/busybox sh
# A chip of lines that the kernel simulates, for QEMU drives no input of a board. Input and output are the way out:
# contacts are moved there by "17 pull-up", and what is heard is the kernel's trace of the lines, with the answer to
# "memory" in it.
chip=/t/config/gpio-sim/sabot
/bin/busybox mkdir -p $chip/bank0
echo 54 > $chip/bank0/num_lines
echo sabot-lines > $chip/bank0/label
echo 1 > $chip/live
read -r name < $chip/bank0/chip_name
read -r device < $chip/dev_name
for each in /t/sys/class/gpio/gpiochip*; do
  read -r label < "$each/label"
  [ "$label" != sabot-lines ] || read -r base < "$each/base"
done
cd "/t/sys/devices/platform/$device/$name" || exec /bin/busybox sh
exec 3<&0 < /dev/console > /dev/console
echo mono > /t/trace/trace_clock
echo 1 > /t/trace/events/gpio/gpio_value/enable
echo "sabot chip $name base $base" > /t/trace/trace_marker
# The contacts come first, and "go": they are at rest before the system starts. A port whose far end is not there yet
# is at its end.
move() {
  while read -r pin pull; do
    [ "$pin" != go ] || return 0
    if [ "$pin" = memory ]; then
      while read -r line; do echo "sabot memory $line" > /t/trace/trace_marker; done < /t/proc/meminfo
    else
      echo "$pull" > "sim_gpio$pin/pull"
    fi
  done
  return 1
}
until move <&3; do /bin/busybox sleep 0.2; done
# What goes on beside the system opens /dev/null first, and would end if /dev had gone by then.
{ : > /t/hears && exec /bin/busybox cat /t/trace/trace_pipe >&3; } &
{ : > /t/moves && move <&3; } &
until [ -e /t/hears ] && [ -e /t/moves ]; do /bin/busybox sleep 0.1; done
/bin/busybox umount -l /dev
exec /bin/busybox sh /bin/start
