#!/bin/sh
# Numba reads compiled code only from where it may also write, and the image is read-only: the kernels compiled into it
# move to the temporary file system first.
set -eu
if [ ! -d "$FOOTROOM_CACHE_DIR" ]; then
    cp -R /opt/footroom/kernels "$FOOTROOM_CACHE_DIR"
fi
exec footroom "$@"
