-- Reads all deliveries and attempts, while readers and writers go on.
alter table "delivery" validate constraint "delivery_0_upto";
alter table "delivery_try" validate constraint "delivery_try_0_upto";
