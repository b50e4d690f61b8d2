-- CreateTable
CREATE TABLE "mute" (
    "mute_id" BIGSERIAL NOT NULL,
    "channel_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "muted_by" TEXT,
    "reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "lifted_at" TIMESTAMPTZ(3),
    "lifted_by" TEXT,

    CONSTRAINT "mute_pkey" PRIMARY KEY ("mute_id")
);

-- CreateIndex
CREATE INDEX "mute_user_id_created_at_idx" ON "mute"("user_id", "created_at" DESC);

-- The record of the mute that somebody is under; one that was imported has none.
create unique index mute_in_force on mute (channel_id, user_id) where lifted_at is null;
-- Mutes whose time is over, in the order they end.
create index channel_user_mute_ends on channel_user (mute_timeout) where mute_timeout is not null;
