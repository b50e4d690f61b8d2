ALTER TABLE "role" ADD COLUMN "updated_by" TEXT;
ALTER TABLE "api_key" ADD COLUMN "created_by" TEXT;
ALTER TABLE "access_token" ADD COLUMN "key_id" TEXT;
ALTER TABLE "staff_session" ADD COLUMN "last_seen_at" TIMESTAMPTZ(3);
ALTER TABLE "staff_account" ADD COLUMN "last_seen_at" TIMESTAMPTZ(3),
ADD COLUMN "two_factor_enabled" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "staff_second_factor" (
    "id" TEXT NOT NULL,
    "staff_account_id" TEXT NOT NULL,
    "secret" TEXT NOT NULL,
    "backup_codes" TEXT NOT NULL,
    "verified" BOOLEAN NOT NULL DEFAULT false,
    "failed_verification_count" INTEGER NOT NULL DEFAULT 0,
    "locked_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "staff_second_factor_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "staff_passkey" (
    "id" TEXT NOT NULL,
    "name" TEXT,
    "public_key" TEXT NOT NULL,
    "staff_account_id" TEXT NOT NULL,
    "credential_id" TEXT NOT NULL,
    "counter" INTEGER NOT NULL,
    "device_type" TEXT NOT NULL,
    "backed_up" BOOLEAN NOT NULL,
    "transports" TEXT,
    "aaguid" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "staff_passkey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "staff_link" (
    "digest" BYTEA NOT NULL,
    "staff_account_id" TEXT NOT NULL,
    "created_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "staff_link_pkey" PRIMARY KEY ("digest")
);

-- CreateIndex
CREATE UNIQUE INDEX "staff_second_factor_staff_account_id_key" ON "staff_second_factor"("staff_account_id");
CREATE UNIQUE INDEX "staff_passkey_credential_id_key" ON "staff_passkey"("credential_id");
CREATE INDEX "staff_passkey_staff_account_id_idx" ON "staff_passkey"("staff_account_id");
CREATE UNIQUE INDEX "staff_link_staff_account_id_key" ON "staff_link"("staff_account_id");

-- Sessions that an API key opened and that go on: they end with it.
create index access_token_key_id on access_token (key_id) where key_id is not null and revoked_at is null;

-- AddForeignKey
ALTER TABLE "staff_second_factor" ADD CONSTRAINT "staff_second_factor_staff_account_id_fkey" FOREIGN KEY ("staff_account_id") REFERENCES "staff_account"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "staff_passkey" ADD CONSTRAINT "staff_passkey_staff_account_id_fkey" FOREIGN KEY ("staff_account_id") REFERENCES "staff_account"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "staff_link" ADD CONSTRAINT "staff_link_staff_account_id_fkey" FOREIGN KEY ("staff_account_id") REFERENCES "staff_account"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
