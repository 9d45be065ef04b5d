"""The errors of a floor: its orders and configurations, its store, its service and its page."""

from sabot.rules.errors import table

ERRORS = table(
    (
        "E-FLOOR-001",
        "{what} ({cite})",
        "The chapter does not allow such a link.",
        "Change the configuration, or read the paragraph named; nothing was taken.",
    ),
    (
        "E-FLOOR-002",
        "{what}",
        "An order of people counts only with its signatures and in its turn.",
        "Have it signed by those whom it takes, with the next number.",
    ),
    (
        "E-FLOOR-003",
        "{what}",
        "While a link runs, a hit is open or a moment has not come, its terms stay as they are.",
        "Stop the link, have every hit validated or taken back, then order it again.",
    ),
    (
        "E-FLOOR-004",
        "{what}",
        "The order speaks of something that this floor does not have, or has already.",
        "See `sabot floor tables` and `sabot floor hits`, then order it again.",
    ),
    (
        "E-FLOOR-011",
        "the store has schema {found}, this program knows {known}",
        "A newer release wrote it, or an older one did and no floor of this release has opened it yet.",
        "Use the release of the floor; nothing was changed.",
    ),
    (
        "E-FLOOR-012",
        "another process commits for this store",
        "One process at a time holds the ledger; it took over while this one was away.",
        "Nothing is to be done: this one waits for its turn.",
    ),
    (
        "E-FLOOR-013",
        "it is not known whether the commit was made ({why})",
        "The connection ended between the order to commit and its answer.",
        "Send again with the same number: it is applied once.",
    ),
    (
        "E-FLOOR-014",
        "the store is older than what was acknowledged: {what}",
        "It is a server that was replaced and came back, or a backup.",
        "Keep that server away, let the floor reach the present one. A backup: `sabot floor restore`.",
    ),
    (
        "E-FLOOR-015",
        "{what}",
        "The ledger, or what is kept beside it, was changed outside of the program.",
        "Stop the floor, keep the store as it is, and compare with the newest export.",
    ),
    (
        "E-FLOOR-016",
        "{package} is not installed",
        "A store in PostgreSQL needs it; it comes with an extra of Sabot.",
        "Install the extra: pip install 'sabot[floor]'. A file as --store needs none.",
    ),
    (
        "E-FLOOR-017",
        "{what}",
        "A store is founded once, by people of two departments at least.",
        "Name another place, or the people and their departments.",
    ),
    (
        "E-FLOOR-018",
        "the broker cannot be used ({why})",
        "A file of the connection is missing, not readable, or not what it should be.",
        "See host, port, ca, certificate and key under [broker] of the settings.",
    ),
    (
        "E-FLOOR-019",
        "the key cannot be used ({why})",
        "It is another file, another passphrase, or one that is there already.",
        "Name the right key; `sabot floor key` makes a new one in a new file.",
    ),
    (
        "E-FLOOR-020",
        "the order cannot be used ({why})",
        "An order is drawn with the fields of its kind, and its file is read as it was written.",
        "See the kinds of orders in docs/link.md, and draw it anew.",
    ),
    (
        "E-FLOOR-021",
        "orders cannot be handed in ({why})",
        "The service does not run there, or the socket is not yours to use.",
        "Start `sabot floor run`, or name its socket with --orders.",
    ),
    (
        "E-FLOOR-023",
        "the file of PINs {why}",
        "It is missing or damaged, or the PIN is one that is guessed first.",
        "Set a PIN for each who may look: `sabot floor pin FILE --person NUMBER`.",
    ),
    (
        "E-FLOOR-024",
        "the page of the pit cannot be served there ({why})",
        "Another program has the port, or the page would go over the network without a certificate.",
        "See host, port, certificate and key under [page] of the settings.",
    ),
    (
        "E-FLOOR-025",
        "the link is of {chapter} in the folder of chapters {digest}; here is {known}",
        "Two people have signed for the chapters of a folder, and it was not given, or was changed since.",
        "Name that folder, as it was signed: law in the settings of the service, --law at a command.",
    ),
    (
        "E-FLOOR-026",
        "no store can be used under that name ({why})",
        "A store is one file, in a folder that is there; both belong to the account that runs the floor.",
        "Name the file itself, as /var/lib/sabot-floor/floor.db; use that account: sudo -u sabot-floor.",
    ),
)
