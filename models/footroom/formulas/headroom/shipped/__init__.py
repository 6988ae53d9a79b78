"""Headroom tables that ship with SONiC, as far as they were collected, and what explains them."""

from footroom.formulas.headroom.shipped.tables import Row, Table, tables

__all__ = ["Row", "Table", "tables"]
