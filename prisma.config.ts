import { defineConfig } from 'prisma/config'

/** For Prisma's own commands only: Docket itself applies its migrations (prisma/migrate.ts). */
export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env.DATABASE_URL ?? '' },
})
