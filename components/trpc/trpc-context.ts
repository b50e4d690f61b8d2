import { trpc, trpcClient } from './trpc.ts'

/** A constant without a context, as the calls depend on no state of the page. */
export const useTRPC = () => trpc
export const useTRPCClient = () => trpcClient
