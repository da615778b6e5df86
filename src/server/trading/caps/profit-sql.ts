import { sql } from 'kysely'

/** The amount that the house pays if an order wins. Rounded half to even in integers, as the settlement does. */
export const PROFIT = sql`(stake * profit_basis_points / 10000
  + case when stake * profit_basis_points % 10000 > 5000
      or (stake * profit_basis_points % 10000 = 5000 and stake * profit_basis_points / 10000 % 2 = 1) then 1 else 0 end)`
