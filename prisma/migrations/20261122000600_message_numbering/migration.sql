-- CreateTable
CREATE TABLE "message_numbering" (
    "channel_id" TEXT NOT NULL,
    "from_at" TIMESTAMPTZ(3) NOT NULL,
    "from_id" TEXT,
    "upto_at" TIMESTAMPTZ(3) NOT NULL,
    "added_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "message_numbering_pkey" PRIMARY KEY ("channel_id")
);

-- AddForeignKey
ALTER TABLE "message_numbering" ADD CONSTRAINT "message_numbering_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "channel"("channel_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- Only reads the messages: those that were imported without a segment are numbered by the worker, a batch at a time.
insert into message_numbering (channel_id, from_at, upto_at)
select channel_id, min(created_at), max(created_at) from message where channel_segment is null group by channel_id;
