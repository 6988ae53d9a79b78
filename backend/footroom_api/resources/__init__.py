"""One folder per resource: ``routes`` and the ``schemas`` of what it takes and gives. ``routers`` lists them."""
