"""The certificates by which RAUC believes a bundle: the release key's own, and one that it issues.

RAUC wants X.509 and a message in CMS, which OpenSSL 3.0 does not sign by Ed25519. So the release key, of
Ed25519 as for everything else, certifies a key of P-256 that is derived from it: whoever has the release key
has both, and a board pins the release key's certificate alone. One key gives one certificate.
"""

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

YEARS = 20
# The order of the group of P-256, less one: a derived number below it is a private key.
_ORDER_LESS_ONE = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632550
_OF_NO_USE = (
    "content_commitment",
    "key_encipherment",
    "data_encipherment",
    "key_agreement",
    "crl_sign",
    "encipher_only",
    "decipher_only",
)


class BundleSigner(NamedTuple):
    """The signer of a bundle: a key and its certificate, in PEM form."""

    key: bytes
    certificate: bytes


def make(key: Ed25519PrivateKey, epoch: int) -> bytes:
    """Return the certificate of a release key, which a board pins."""
    name = _name("Sabot release")
    builder = _begun(name, name, epoch, 1).public_key(key.public_key())
    builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
    builder = builder.add_extension(_usage(is_issuer=True), critical=True)
    return builder.sign(key, None).public_bytes(Encoding.PEM)


def signer(key: Ed25519PrivateKey, epoch: int) -> BundleSigner:
    """Return the key that signs bundles, with the certificate that the release key issues for it."""
    derived = _derived(key)
    builder = _begun(_name("Sabot bundles"), _name("Sabot release"), epoch, 2).public_key(
        derived.public_key()
    )
    builder = builder.add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
    builder = builder.add_extension(_usage(is_issuer=False), critical=True)
    text = derived.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return BundleSigner(text, builder.sign(key, None).public_bytes(Encoding.PEM))


def _derived(key: Ed25519PrivateKey) -> ec.EllipticCurvePrivateKey:
    # 48 bytes for a number of 32: so much longer, the remainder favours no key that anybody could notice.
    drawn = HKDF(hashes.SHA256(), 48, None, b"sabot bundles of RAUC 1").derive(key.private_bytes_raw())
    return ec.derive_private_key(int.from_bytes(drawn, "big") % _ORDER_LESS_ONE + 1, ec.SECP256R1())


def _name(words: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, words)])


def _usage(*, is_issuer: bool) -> x509.KeyUsage:
    others = dict.fromkeys(_OF_NO_USE, False)
    return x509.KeyUsage(digital_signature=not is_issuer, key_cert_sign=is_issuer, **others)


def _begun(subject: x509.Name, issuer: x509.Name, epoch: int, number: int) -> x509.CertificateBuilder:
    start = datetime.fromtimestamp(epoch, UTC) - timedelta(days=365)
    builder = x509.CertificateBuilder().subject_name(subject).issuer_name(issuer).serial_number(number)
    return builder.not_valid_before(start).not_valid_after(start + timedelta(days=365 * YEARS))
