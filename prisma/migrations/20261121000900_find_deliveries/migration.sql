-- Deliveries about one subject, newest first. By its digest: ids may be longer than what an index takes.
create index delivery_subject on delivery (hashtextextended(subject_id, 0), created_at desc, delivery_id desc);
-- When something last arrived at an endpoint.
create index delivery_arrived on delivery (endpoint_id, settled_at desc) where state = 'delivered';
