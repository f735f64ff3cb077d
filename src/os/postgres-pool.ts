import { Pool, type PoolConfig } from 'pg';

/** Connections to a PostgreSQL that may be restarted while it is used. Not in `postgres.ts`: few commands need the driver. */
export function postgresPool(url: string, config: PoolConfig): Pool {
  const pool = new Pool({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    application_name: 'pawl',
    ...config,
  });
  // A connection that breaks while it is idle is taken out of the pool; the next query opens another.
  pool.on('error', () => undefined);
  // One that breaks between two queries of a transaction: the next query says so.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
