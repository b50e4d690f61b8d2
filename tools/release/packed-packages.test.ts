import { expect, test } from 'vitest'
import { importedPackages, type Lock, packedPackages } from './packed-packages.ts'

const lock: Lock = {
  packages: {
    '': {},
    'node_modules/server': {
      dependencies: { parser: '1' },
      peerDependencies: { database: '1', browser: '1' },
      peerDependenciesMeta: { browser: { optional: true } },
    },
    'node_modules/parser': {},
    'node_modules/server/node_modules/parser': { dependencies: { '@scope/words': '1' } },
    'node_modules/@scope/words': {},
    'node_modules/database': { optionalDependencies: { 'database-linux': '1', 'database-windows': '1' } },
    'node_modules/database-linux': {},
    'node_modules/database-windows': {},
    'node_modules/browser': {},
    'node_modules/test-runner': {},
  },
}

test('packs what is imported with all it needs: no other platform, no optional peer, nothing else', () => {
  const packed = packedPackages(lock, ['server'], (path) => path !== 'node_modules/database-windows')
  expect(packed).toEqual([
    'node_modules/@scope/words',
    'node_modules/database',
    'node_modules/database-linux',
    'node_modules/server',
    'node_modules/server/node_modules/parser',
  ])
})

test('names what is missing and who needs it', () => {
  const pack = () => packedPackages(lock, ['server'], (path) => path !== 'node_modules/database')
  expect(pack).toThrow('database is not installed, and node_modules/server needs it')
})

test('finds imports by value, also of parts of a package and at run time, and no types, own files or parts of Node', () => {
  const source = `
import fastify, { type FastifyInstance } from 'fastify'
import type { Thing } from 'types-only'
import {
  one,
} from '@scope/words/part'
import './own.ts'
import { sql } from '#server/core/db.ts'
import { join } from 'node:path'
export * from 'again'
import 'effects'
const later = await import('lazy/part')`
  expect(importedPackages(source)).toEqual(['fastify', '@scope/words', 'again', 'effects', 'lazy'])
})
