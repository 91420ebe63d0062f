"""Printed sheets and camera calibration."""
