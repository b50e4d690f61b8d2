-- A unique index of a partitioned table must contain its key, so event numbers get a plain one. Only the sequencer numbers, under its lock.
create index concurrently event_0_seq_idx on event (seq);
