-- As in a database restored from a dump, where the key of a partition has the name of the whole table's.
alter table delivery_0 rename constraint delivery_0_endpoint_id_fkey to delivery_endpoint_id_fkey;
