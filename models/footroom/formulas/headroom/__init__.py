"""Headroom of one link: the budget, schemes (a file each), chips' constants, and the tables that ship with SONiC."""
