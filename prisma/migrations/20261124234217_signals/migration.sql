-- CreateTable
CREATE TABLE "signal" (
    "subject_type" "subject_type" NOT NULL,
    "subject_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "score" DOUBLE PRECISION NOT NULL,
    "model_version" TEXT,
    "measured_at" TIMESTAMPTZ(3) NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "sent_by" TEXT,

    CONSTRAINT "signal_pkey" PRIMARY KEY ("subject_type","subject_id","name")
);
