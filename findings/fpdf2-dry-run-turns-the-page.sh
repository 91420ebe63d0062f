#!/usr/bin/env bash
# fpdf2's multi_cell(dry_run=True) calls add_page of a subclass: state that the method keeps outside fpdf remains changed.
#
# Measured with fpdf2 2.8.9 on Python 3.11. A class that sets text in columns overrides add_page, so that an automatic page
# break begins the next column instead. A dry run is documented as writing nothing, and is how to ask for the lines of a text.
# It breaks the page anyway: the overridden add_page is called, fpdf restores its own pages, position and fonts
# afterwards, and the subclass keeps the state of a page that does not exist. Text that follows is printed over other text.
# With set_auto_page_break(False) around the dry run, add_page is not called.
#
# Output today:
#   fpdf2 2.8.9
#   add_page in a dry run: called 1 time, pages after it: 1
#   without automatic breaks: called 0 times
#
# Ends with status 0 while this holds, with another once it has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check fpdf2==2.8.9
"$folder/venv/bin/python" - <<'PY'
import sys

import fpdf
from fpdf.enums import MethodReturnValue


class Columns(fpdf.FPDF):
    turned = 0

    def add_page(self, *args, **kwargs):
        self.turned += 1
        super().add_page(*args, **kwargs)


def turns(automatic):
    pdf = Columns()
    pdf.set_font("Helvetica", size=12)
    pdf.add_page()
    pdf.set_auto_page_break(automatic, margin=20)
    pdf.set_y(270)
    before = pdf.turned
    pdf.multi_cell(60, 6, "word " * 60, dry_run=True, output=MethodReturnValue.LINES)
    return pdf.turned - before, pdf.pages_count


print("fpdf2", fpdf.__version__)
called, pages = turns(True)
print(f"add_page in a dry run: called {called} time{'' if called == 1 else 's'}, pages after it: {pages}")
without, _ = turns(False)
print(f"without automatic breaks: called {without} times")
sys.exit(not called or pages != 1 or without != 0)
PY
