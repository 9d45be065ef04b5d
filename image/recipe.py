"""What an image is made of, as tables: packages, kernel modules, what goes, what no board may have.

A package is here because a line of the page docs/image.md needs it. Debian brings more with each than a board
wants; DROPPED says what is left out again, NEVER what the build refuses to find in the end.
"""

SUITE, MACHINE = "trixie", "arm64"
COMPONENTS = ("main", "non-free-firmware")
# One time for every file: the build asks for another by SOURCE_DATE_EPOCH.
EPOCH = 1_750_000_000
COMPATIBLE = "sabot-pi-arm64"

# The running system.
PACKAGES = (
    "base-files", "base-passwd", "bash", "coreutils", "cryptsetup-bin", "dash", "dbus", "e2fsprogs",
    "findutils",
    "grep", "kmod", "libc-bin", "libubootenv-tool", "libusb-1.0-0", "mount", "openssl", "python3", "rauc",
    "rauc-service", "sed", "systemd-sysv", "systemd-timesyncd", "tzdata", "udev", "util-linux",
    "util-linux-extra",
)  # fmt: skip
# What starts it: only files of these are taken, none of what they depend on.
BOOT_PACKAGES = ("busybox-static", "linux-image-arm64", "raspi-firmware", "u-boot-rpi", "u-boot-qemu")
TAKEN_OF_BOOT = ("busybox-static", "linux-image-6", "raspi-firmware", "u-boot-rpi")
# What compiles Python's files on the machine that builds; nothing of it comes into the image.
COMPILER_PACKAGES = ("python3.13-minimal", "libpython3.13-stdlib", "base-files")
PYTHON = "3.13"
# What lgpio's extension is built against, by a compiler of the building machine.
HEADER_PACKAGES = ("libpython3.13-dev", "libc6-dev")

# In this order the initramfs loads them; of the rest, udev what the board has.
EARLY_MODULES = (
    "crc32c_generic", "libcrc32c", "bcm2835", "sdhci_iproc", "virtio_blk", "dm_mod", "dm_verity",
    "sha256_arm64",
    "sha2_ce", "squashfs", "ext4", "vfat", "nls_ascii", "nls_cp437", "bcm2835_wdt",
)  # fmt: skip
MODULES = (
    *EARLY_MODULES,
    # USB: the Pi's own controllers, and the one of QEMU's virt.
    "phy_generic", "dwc2", "xhci_pci", "xhci_plat_hcd", "reset_raspberrypi",
    # Serial adapters of the hardware page, and a second medium.
    "ftdi_sio", "cp210x", "pl2303", "ch341", "cdc_acm", "usb_storage", "uas", "sd_mod",
    # RAUC mounts a bundle by it.
    "loop",
    # A wire to the floor, and none through the air.
    "smsc95xx", "lan78xx", "genet", "broadcom", "microchip", "mdio_bcm_unimac",
    # Battery clock, temperature, noise for keys, the watchdog of virt.
    "i2c_bcm2835", "bcm2711_thermal", "bcm2835_thermal", "iproc_rng200", "bcm2835_rng", "i6300esb",
)  # fmt: skip

DROPPED = (
    "boot/*", "usr/lib/aarch64-linux-gnu/gconv", "usr/lib/udev/hwdb.d", "usr/share/man", "usr/share/locale",
    "usr/share/info", "usr/share/lintian", "usr/share/i18n", "usr/share/bash-completion", "usr/share/zsh",
    "usr/share/bug",
    "usr/share/doc/*/[!c]*", "usr/share/doc/*/c[!o]*", "usr/share/perl*", "usr/share/doc-base",
    "usr/share/menu",
    "usr/share/gcc", "usr/share/gdb", "usr/share/initramfs-tools", "usr/share/debianutils",
    "usr/share/polkit-1",
    "usr/lib/python3*/test", "usr/lib/python3*/idlelib", "usr/lib/python3*/ensurepip",
    "usr/lib/python3*/tkinter",
    "usr/lib/python3*/turtledemo", "usr/lib/python3*/lib2to3", "usr/lib/python3*/pydoc_data",
    "usr/share/python3",
    "usr/lib/python3/dist-packages", "usr/lib/systemd/catalog", "usr/lib/systemd/user",
    "usr/lib/systemd/boot",
    "usr/lib/kernel", "usr/lib/systemd/system-generators/systemd-getty-generator",
    "usr/lib/systemd/system-generators/systemd-debug-generator",
    "usr/lib/systemd/system-generators/systemd-run-generator",
    "usr/lib/systemd/system-generators/systemd-gpt-auto-generator",
    "usr/lib/systemd/systemd-networkd-wait-online",
    "usr/lib/systemd/system-generators/systemd-system-update-generator",
    "usr/lib/systemd/system-generators/systemd-tpm2-generator",
    "usr/lib/tmpfiles.d/x11.conf", "usr/lib/tmpfiles.d/home.conf", "usr/lib/tmpfiles.d/portables.conf",
    "usr/lib/tmpfiles.d/legacy.conf",
    "usr/lib/tmpfiles.d/provision.conf", "usr/lib/tmpfiles.d/credstore.conf",
    "usr/lib/tmpfiles.d/20-systemd-*",
    "usr/lib/tmpfiles.d/systemd-network.conf", "usr/lib/tmpfiles.d/systemd-nologin.conf",
    "usr/lib/tmpfiles.d/debian.conf",
    "usr/lib/systemd/system-generators/systemd-ssh-generator",
    "usr/lib/systemd/system-generators/systemd-sysv-generator",
    "usr/lib/systemd/system-generators/systemd-rc-local-generator",
    "usr/lib/systemd/system-generators/systemd-hibernate-resume-generator",
    "etc/apt", "etc/cron*", "etc/init.d", "etc/rc?.d", "etc/skel", "etc/logrotate.d", "etc/kernel", "etc/opt",
    "etc/fstab",
    "usr/bin/apt*", "usr/bin/dpkg*", "usr/bin/perl*", "usr/bin/gpgv*", "usr/lib/apt", "usr/lib/dpkg",
    "usr/share/dpkg",
    "var/*", "usr/games", "usr/src", "usr/include", "usr/lib/locale", "home/*", "srv", "opt/*", "media",
    "mnt/*",
    "usr/bin/systemd-run", "usr/bin/su", "usr/bin/newgrp", "usr/bin/chsh", "usr/bin/chfn", "usr/bin/passwd",
    "usr/bin/gpasswd",
    "usr/bin/run0", "usr/bin/sudo", "usr/sbin/sulogin", "usr/bin/login", "usr/sbin/agetty", "usr/sbin/getty",
)  # fmt: skip
# What would be a door: the build fails where one of these is in the root.
NEVER = (
    "usr/bin/*gcc*", "usr/bin/cc", "usr/bin/ld", "usr/bin/as", "usr/bin/make", "usr/bin/perl", "usr/bin/dpkg",
    "usr/bin/apt*",
    "usr/sbin/sshd", "usr/bin/ssh", "usr/sbin/dropbear", "usr/sbin/telnetd", "usr/sbin/wpa_supplicant",
    "usr/sbin/iw",
    "usr/bin/bluetoothctl", "usr/lib/firmware/brcm", "usr/bin/sudo", "usr/sbin/agetty", "usr/bin/login",
    "usr/sbin/sulogin",
    "usr/lib/modules/*/cfg80211*", "usr/lib/modules/*/brcm*", "usr/lib/modules/*/bluetooth*",
    "usr/lib/modules/*/hci_uart*",
    "opt/sabot/releases/*/venv/bin/pip*",
)  # fmt: skip

# Units that a read-only root cannot use, or that would ask somebody to log in.
MASKED = (
    "getty@.service", "serial-getty@.service", "console-getty.service", "getty.target",
    "getty-static.service",
    "debug-shell.service", "emergency.service", "rescue.service", "systemd-firstboot.service",
    "systemd-sysusers.service",
    "ldconfig.service", "systemd-update-done.service", "systemd-hwdb-update.service",
    "systemd-journal-catalog-update.service",
    "systemd-machine-id-commit.service", "systemd-binfmt.service", "proc-sys-fs-binfmt_misc.automount",
    "systemd-networkd-wait-online.service", "systemd-pcrmachine.service", "systemd-pcrphase.service",
    "systemd-pcrphase-sysinit.service", "systemd-tpm2-setup.service", "systemd-tpm2-setup-early.service",
    "systemd-hibernate-clear.service", "systemd-logind.service", "systemd-ask-password-wall.path",
    "systemd-ask-password-console.path", "systemd-sysext.socket", "systemd-pcrextend.socket",
    "systemd-pcrlock.socket",
    "systemd-creds.socket", "systemd-hostnamed.socket", "systemd-initctl.socket", "fstrim.timer",
    "e2scrub_all.timer",
    "e2scrub_reap.service", "sys-kernel-debug.mount", "sys-kernel-tracing.mount",
    "sys-fs-fuse-connections.mount",
    "dev-hugepages.mount", "systemd-rfkill.service", "systemd-rfkill.socket", "systemd-coredump.socket",
)  # fmt: skip
STARTED = {
    "multi-user.target": (
        "sabot.service", "sabot-console@ttyAMA0.service", "sabot-settings.service", "sabot-slot.service",
        "sabot-radio.service", "sabot-incoming.path",
    ),
    "sysinit.target": ("systemd-timesyncd.service",),
    "local-fs.target": ("boot-firmware.mount",),
}  # fmt: skip
