"""Campaigns on a cluster of Dask."""
