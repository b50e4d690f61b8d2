-- Since when that was held which was decided on: kept with the decision, so that times to decision are read along one index.
ALTER TABLE "decision" ADD COLUMN     "held_at" TIMESTAMPTZ(3);
