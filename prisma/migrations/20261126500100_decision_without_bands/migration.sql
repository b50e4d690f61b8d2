create index concurrently decision_without_bands on decision (decision_id) where outcome = 'rejected' and not are_bands_stored;
