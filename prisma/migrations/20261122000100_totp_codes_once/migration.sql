-- The step of 30 seconds whose code was used last: a code works once.
ALTER TABLE "staff_second_factor" ADD COLUMN "last_used_step" INTEGER;
