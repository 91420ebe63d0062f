"""The referee: from one photo to rulings, reports and the report page."""
