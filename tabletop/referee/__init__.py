"""The referee: one photo to rulings, reports and the report page."""
