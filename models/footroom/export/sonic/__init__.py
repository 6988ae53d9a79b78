"""SONiC."""
