#!/bin/busybox sh
# A chip of lines that the kernel simulates, for QEMU drives no input of a board. Input and output are the way out:
# contacts are moved there by "17 pull-up", and a word of its own is "memory", "program" (which process it is), "signal
# KILL" (to it), "first SEGV" (to the first process), "vanish" and "back" of the chip. What is heard is the kernel's trace
# of the lines, with the answers in it.
chip=/t/config/gpio-sim/sabot
/bin/busybox mkdir -p $chip/bank0
echo 54 > $chip/bank0/num_lines
echo sabot-lines > $chip/bank0/label
echo 1 > $chip/live
# From here on by ways that lead from this folder: the system's root is laid over all others.
cd /t || exec /bin/busybox sh
tell() { echo "sabot $*" > trace/trace_marker; }
announce() {
  read -r name < config/gpio-sim/sabot/bank0/chip_name
  read -r device < config/gpio-sim/sabot/dev_name
  lines=sys/devices/platform/$device/$name
  for each in sys/class/gpio/gpiochip*; do
    read -r label < "$each/label"
    [ "$label" != sabot-lines ] || read -r base < "$each/base"
  done
  tell "chip $name base $base"
}
exec 3<&0 < /dev/console > /dev/console
echo mono > trace/trace_clock
echo 1 > trace/events/gpio/gpio_value/enable
announce
# The program by its command line, whose words are read without what stands between them; 0 where there is none.
find_program() {
  pid=0
  for each in proc/[0-9]*; do
    line=
    read -r line < "$each/cmdline"
    case $line in */python-I-msabotrun/*) pid=${each#proc/} && return ;; esac
  done
}
tell_program() {
  find_program
  rights=
  [ "$pid" = 0 ] || while read -r key value _; do
    case $key in Uid: | CapEff: | NoNewPrivs:) rights="$rights $key$value" ;; esac
  done < "proc/$pid/status"
  tell "program $pid$rights"
}
# The contacts come first on the port, and "go": they are at rest before the system starts. A port whose far end is not
# there yet is at its end.
move() {
  while read -r what how; do
    case $what in
      go) return 0 ;;
      memory) while read -r line; do tell "memory $line"; done < proc/meminfo ;;
      program) tell_program ;;
      signal) find_program; [ "$pid" = 0 ] || kill -s "$how" "$pid" ;;
      first) kill -s "$how" 1 ;;
      vanish) echo 0 > config/gpio-sim/sabot/live ;;
      back) echo 1 > config/gpio-sim/sabot/live && announce ;;
      *) echo "$how" > "$lines/sim_gpio$what/pull" ;;
    esac
  done
  return 1
}
until move <&3; do /bin/busybox sleep 0.2; done
# What goes on beside the system opens /dev/null first, and would end if /dev had gone by then.
{ : > hears && exec /bin/busybox cat trace/trace_pipe >&3; } &
{ : > moves && move <&3; } &
until [ -e hears ] && [ -e moves ]; do /bin/busybox sleep 0.1; done
/bin/busybox umount -l /dev
cd / || exec /bin/busybox sh
exec /bin/busybox sh /bin/start
