"""Laws behind shipped headroom tables: k·(A + C·(t0 + 2·D)), and the rows each was fitted to and checked with."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Law:
    """Law of the headroom that one maker of switches ships for one chip.

    maker: of the switches.  inflation: k, or the name of a rule by the cell.  fixed: A [B].  reaction: t0 [s]; None for
    the pause quanta of the speed.  tables: ids of what it was fitted to, for the smallest largest relative difference.
    Rows that repeat the value of a longer cable or a faster speed, and speeds ``without`` [bit/s], do not count.
    cables: only rows of these lengths were fitted, all when empty [m].  rows, error: how many, and what is left.
    held, held_error: rows kept out of the fit, of ``tables`` and ``held_tables``, and the largest difference there.
    steps: name of the rule by which speeds share values, see ``vendor``.
    """

    maker: str
    fixed: float
    reaction: float | None
    error: float
    rows: int
    tables: tuple[str, ...]
    inflation: float | str = "small_frame"
    cables: tuple[float, ...] = ()
    without: tuple[float, ...] = ()
    held: int = 0
    held_error: float = 0.0
    held_tables: tuple[str, ...] = ()
    steps: str = "own"
    note: str = ""

    def words(self) -> str:
        """How well it holds."""
        within = (
            f"the rule is fitted to tables of {self.maker}: {self.rows} shipped rows agree within "
            f"{100 * self.error:.1f} %"
        )
        if self.held:
            within += f", {self.held} rows that were not fitted within {100 * self.held_error:.1f} %"
        return f"{within}; {self.note}" if self.note else within


_ARISTA5 = ("12028bb0", "d360a4b0", "bd6d2529", "a87c6cd2", "84bcd971", "5174b5f4", "ccc68e17")
_TRIDENT3 = Law("Dell", 10341.8, 3.16155e-6, 0.0506, 15, ("a8cf083e",))
_JERICHO = Law("Nokia", 31369.0, 1.04762e-6, 0.0094, 15, ("ba784705",), 1.33663)
#: The same table ships on Arista's Jericho2 line cards.
_JERICHO2 = replace(_JERICHO, maker="Arista")
#: By chip; the first law of a chip is taken where no maker is named.
LAWS: dict[str, tuple[Law, ...]] = {
    "tomahawk": (
        Law(
            "Dell",
            7486.1,
            3.99444e-6,
            0.0858,
            15,
            ("0b5d680e",),
            2.60807,
            note="k lies above cell/84 = 2.48 for a reason unknown",
        ),
    ),
    "tomahawk2": (
        Law("Dell", 10490.4, 3.31122e-6, 0.0443, 15, ("eeb1322d",)),
        Law(
            "Arista",
            10252.9,
            2.55386e-6,
            0.0022,
            6,
            ("0ff01d9a",),
            1.26633,
            note="a mix of packet sizes is assumed; 50 Gb/s gets the value of 100 Gb/s",
        ),
    ),
    "tomahawk3": (
        Law(
            "Dell",
            24103.4,
            2.16762e-6,
            0.0006,
            10,
            ("06d19555",),
            1.32355,
            note="k well below cell/84: a mix of packet sizes is assumed",
        ),
        Law(
            "Micas",
            8175.0,
            3.47602e-6,
            0.0079,
            10,
            ("b3e3bd4b",),
            cables=(5, 300),
            without=(10e9, 25e9),
            held=5,
            held_error=0.0133,
            note="from 40 Gb/s; slower ports get up to 54 % more than this says",
        ),
    ),
    "tomahawk4": (Law("Dell", 17988.8, 2.00023e-6, 0.0222, 15, ("2d65f8c6",), steps="paired"),),
    "tomahawk5": (
        Law(
            "Micas",
            22921.8,
            2.07029e-6,
            0.0229,
            12,
            ("655001a2",),
            cables=(5, 40),
            held=13,
            held_error=0.0225,
            held_tables=_ARISTA5,
            steps="paired",
            note="Arista's and Dell's tables agree, Nexthop's and Nokia's do not",
        ),
        Law("Arista", 20136.2, 2.13515e-6, 0.0073, 14, _ARISTA5, note="200 to 800 Gb/s"),
        Law(
            "Nexthop",
            16081.7,
            0.53346e-6,
            0.0012,
            10,
            ("04f0112f",),
            1.15045,
            (5, 300),
            held=5,
            held_error=0.0026,
            note="a mix of packet sizes and a fast peer are assumed",
        ),
        Law(
            "Nokia",
            42658.9,
            4.05367e-6,
            0.0086,
            4,
            ("e84dbc76",),
            1.25284,
            (5, 300),
            held=2,
            held_error=0.0068,
            note="400 and 800 Gb/s",
        ),
    ),
    "tomahawk6": (
        Law(
            "Nexthop",
            17755.5,
            2.23382e-6,
            0.0147,
            15,
            ("e4f63930",),
            held=10,
            held_error=0.0150,
            cables=(5, 40, 300),
            held_tables=("b8a17c12",),
            steps="from_50G",
            note="Micas' and Nokia's tables of this chip differ",
        ),
        Law("Micas", 18232.0, None, 0.0, 54, ("94236ed4",), "stored_frame", note="to the byte, 10 Gb/s to 1.6 Tb/s"),
        Law(
            "Nokia",
            87974.4,
            4.38709e-6,
            0.0004,
            6,
            ("5519079c",),
            1.49995,
            (5, 300),
            held=3,
            held_error=0.0002,
            without=(10e9, 25e9, 40e9, 50e9, 100e9, 200e9),
            note="from 400 Gb/s to 1.6 Tb/s; below 400 Gb/s Nokia's tables follow no known law, and this is up to "
            "159 % above them and 17 % below",
        ),
    ),
    "trident2": (
        Law(
            "Arista",
            36058.5,
            0.19092e-6,
            0.0018,
            9,
            ("b4cd5128",),
            1.20919,
            without=(1e9, 10e9),
            note="1 and 10 Gb/s have 40560 B whatever the cable",
        ),
    ),
    "trident3-x7": (_TRIDENT3,),
    "trident3-x5": (_TRIDENT3,),
    "trident4-x9": (
        Law(
            "Dell",
            18265.9,
            2.04101e-6,
            0.0224,
            15,
            ("8bd5b89d",),
            steps="paired",
            note="Nokia's table of this chip is near k = 1.24",
        ),
    ),
    "jericho2": (_JERICHO2,),
    "jericho2c-plus": (_JERICHO,),
    "qumran3d": (
        _JERICHO,
        Law(
            "Nexthop",
            70609.6,
            8.21945e-6,
            0.0023,
            6,
            ("b63b291b",),
            1.03501,
            (30, 300, 120000),
            (800e9,),
            6,
            0.0119,
            note="100 and 400 Gb/s; its 800 Gb/s rows follow another rule",
        ),
    ),
    "teralynx-7": (Law("Supermicro", 8649.7, 2.03471e-6, 0.0303, 20, ("0d881737",), 1.00973),),
    "teralynx-10": (
        Law(
            "Marvell",
            9053.6,
            2.31057e-6,
            0.0144,
            15,
            ("594485f3",),
            1.024,
            (5, 40, 300),
            (25e9,),
            11,
            0.0159,
            note="from 50 Gb/s; 25 Gb/s gets up to 13 % more than this says; the table of dbmvtx9180_64x100G follows "
            "no known law, and this is up to 47 % above it",
        ),
    ),
}


def laws_of(asic: str) -> tuple[Law, ...]:
    """The laws of the chip of that id, none where no table shows one."""
    return LAWS.get(asic, ())
