import type pg from 'pg'
import type { Prisma, PrismaClient } from '#server/core/prisma/client.ts'

export type Pool = pg.Pool
/** Prisma's client, or a transaction. */
export type Db = PrismaClient | Prisma.TransactionClient
