"""The tables of a SONiC configuration that concern buffers, as their YANG modules define them."""

from footroom.calculators.export.sonic.schema import buffers, qos
from footroom.calculators.export.sonic.schema.leaves import Leaf, leaf_of
from footroom.calculators.export.sonic.schema.table import Part, Row, Table

#: Every table that is known, by name.
TABLES: dict[str, Table] = {table.name: table for table in (*qos.TABLES, *buffers.TABLES)}

__all__ = ["TABLES", "Leaf", "Part", "Row", "Table", "leaf_of"]
