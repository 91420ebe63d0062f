"""Path-traced test tables: the planned tables of ``synthetic``, modelled as solids and rendered by Blender's Cycles."""
