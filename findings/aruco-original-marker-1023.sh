#!/usr/bin/env bash
# OpenCV's DICT_ARUCO_ORIGINAL has a marker without a readable direction: number 1023 equals itself after half a turn.
#
# Measured with opencv-python-headless 4.14.0.94 on Python 3.11: of the markers of all predefined dictionaries, 1023 of
# DICT_ARUCO_ORIGINAL is the only one with the same bits after a turn by 180 degrees. A detector reports it with its
# corners in one order whichever way it is turned, with no sign of doubt, so that a pose computed from them is off by half a
# turn in half of all cases. The dictionary's documentation has no note of it, and generateImageMarker draws the marker.
#
# Output today:
#   opencv 4.14.0
#   symmetric after half a turn: [('DICT_ARUCO_ORIGINAL', 1023)]
#   1023 upright and turned: same number, same first corner
#   1022 upright and turned: same number, other first corner
#
# Ends with status 0 while this holds, with another once it has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check opencv-python-headless==4.14.0.94 numpy==2.4.6
"$folder/venv/bin/python" - <<'PY'
import sys

import cv2
import numpy as np

print("opencv", cv2.__version__)
names = [name for name in dir(cv2.aruco) if name.startswith("DICT_")]
symmetric = set()
for name in names:
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, name))
    for number in range(len(dictionary.bytesList)):
        marker = cv2.aruco.generateImageMarker(dictionary, number, dictionary.markerSize + 2)
        if np.array_equal(marker, np.rot90(marker, 2)):
            symmetric.add((name, number))
print("symmetric after half a turn:", sorted(symmetric))

dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_ARUCO_ORIGINAL)
detector = cv2.aruco.ArucoDetector(dictionary, cv2.aruco.DetectorParameters())


def first_corner(number, turned):
    picture = np.full((300, 300), 255, np.uint8)
    picture[50:250, 50:250] = cv2.aruco.generateImageMarker(dictionary, number, 200)
    corners, ids, _ = detector.detectMarkers(np.ascontiguousarray(np.rot90(picture, 2)) if turned else picture)
    return int(ids[0, 0]), tuple(int(round(float(x), -1)) for x in corners[0][0, 0])


same = {}
for number in (1023, 1022):
    upright, turned = first_corner(number, False), first_corner(number, True)
    assert upright[0] == turned[0] == number
    same[number] = upright[1] == turned[1]
    print(f"{number} upright and turned: same number, {'same' if same[number] else 'other'} first corner")
sys.exit(symmetric != {("DICT_ARUCO_ORIGINAL", 1023)} or same != {1023: True, 1022: False})
PY
