-- CreateIndex
CREATE INDEX "lease_expires_at_idx" ON "lease"("expires_at");
