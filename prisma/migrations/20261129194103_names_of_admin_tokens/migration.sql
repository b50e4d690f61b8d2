-- AlterTable
ALTER TABLE "access_token" ADD COLUMN     "name" TEXT;
