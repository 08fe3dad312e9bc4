"""Playing a run on the workers of a cluster that dask.distributed keeps together.

`address` says where it is, `luggage` and `parcels` what a worker is sent, `differences` what is not there as
it is here; `worker` is what runs there, `crew` who of them plays, and `executor` hands out the work from
here. Only the last three need dask.
"""
