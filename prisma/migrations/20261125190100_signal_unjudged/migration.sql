create index concurrently signal_unjudged on signal (received_at) where not is_judged;
