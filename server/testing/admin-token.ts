import type { Database } from '#server/core/database/open-database.ts'
import { digestOf, newSecret } from '#server/core/ids.ts'

/** An admin token that acts with this network role. */
export async function adminTokenOf({ prisma }: Database, roleId: string): Promise<string> {
  const token = newSecret('dka')
  await prisma.accessToken.create({
    data: {
      digest: new Uint8Array(digestOf(token)),
      kind: 'admin',
      roleId,
      expiresAt: new Date(Date.now() + 3_600_000),
    },
  })
  return token
}
