#!/usr/bin/env bash
# OpenCV's AprilTag markers are upside down for the AprilTag library: a tag drawn by the one is turned by 180 degrees for the other.
#
# Measured with opencv-python-headless 4.14.0.94 and 5.0.0.93 and pyapriltags 3.4.3.1 (the AprilTag 3 library) on Python 3.11.
# All 652 markers of OpenCV's dictionaries DICT_APRILTAG_16h5, 25h9 and 36h11 are drawn upright and read by both. Both report
# the same number and no doubt; the pose of the AprilTag library is turned by 180 degrees in the plane of the tag, every time.
# So a user who prints with OpenCV and reads with AprilTag (or the other way round), or uses both detectors on one table, has
# models that face backwards unless one of the two is turned. The pictures that the AprilTag project publishes are upright
# for its own library. OpenCV's developers have merged a change of the dictionaries for a later version 5: from then on a
# sheet printed before is read upside down by OpenCV itself.
#
# Output today:
#   opencv 4.14.0: AprilTag reads 652 of 652 upright markers, turned by [180]; OpenCV itself turned by [0]
#   opencv 5.0.0: AprilTag reads 652 of 652 upright markers, turned by [180]; OpenCV itself turned by [0]
#
# Ends with status 0 while this holds, with another once it has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
cat > "$folder/turns.py" <<'PY'
import sys

import cv2
import numpy as np
from pyapriltags import Detector

FAMILIES = {"tag16h5": "DICT_APRILTAG_16h5", "tag25h9": "DICT_APRILTAG_25h9", "tag36h11": "DICT_APRILTAG_36h11"}
count, read, theirs, own = 0, 0, set(), set()
for family, name in FAMILIES.items():
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, name))
    apriltag = Detector(families=family, quad_decimate=1.0)
    opencv = cv2.aruco.ArucoDetector(dictionary, cv2.aruco.DetectorParameters())
    for number in range(len(dictionary.bytesList)):
        side = 20 * (dictionary.markerSize + 2)
        picture = np.full((2 * side, 2 * side), 255, np.uint8)
        edge = side // 2
        picture[edge : edge + side, edge : edge + side] = cv2.aruco.generateImageMarker(dictionary, number, side)
        count += 1
        found = [tag for tag in apriltag.detect(picture, True, (1000, 1000, side, side), 0.1) if tag.hamming == 0]
        if [tag.tag_id for tag in found] == [number]:
            read += 1
            turn = found[0].pose_R  # the identity for an upright tag seen from the front
            theirs.add(round(np.degrees(np.arctan2(turn[1, 0], turn[0, 0]))) % 360)
        corners, ids, _ = opencv.detectMarkers(picture)
        assert np.ravel(ids).tolist() == [number]
        first, second = np.reshape(corners[0], (4, 2))[:2]
        own.add(round(np.degrees(np.arctan2(*(second - first)[::-1]))) % 360)
print(f"opencv {cv2.__version__}: AprilTag reads {read} of {count} upright markers, turned by {sorted(theirs)}; "
      f"OpenCV itself turned by {sorted(own)}")
sys.exit((read, theirs, own) != (count, {180}, {0}))
PY
for version in 4.14.0.94 5.0.0.93; do
  "$folder/venv/bin/pip" install -q --disable-pip-version-check "opencv-python-headless==$version" numpy==2.4.6 pyapriltags==3.4.3.1
  "$folder/venv/bin/python" "$folder/turns.py"
done
