"""Play a run on the workers of a dask.distributed cluster.

`connection` has the scheduler's address and certificates, `run_bundle` what a worker is sent, `compatibility`
what must be equal on it. `worker` runs on a worker; `worker_registry` and `executor` admit workers and submit
the work. Only the last three need dask.

A worker that may play has a resource named after the run, so that the scheduler sends calls to no other. A
`WorkerPlugin` removes the run's files and processes when the run or the worker ends. That plugin is not
registered at the scheduler, where a killed run would leave it: every worker that joins would unpickle it, and
one without the arena would end, not be refused. Instead each worker is asked by a call, which returns the
reasons for a refusal. Log records come back with the results, as `Client.forward_logging` would send each run
the lines of all runs of the cluster.
"""
