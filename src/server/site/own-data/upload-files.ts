import { readPurpose } from '#server/platform/uploads/uploads.queries.ts'
import type { DataFile } from '#server/site/own-data/data-file.ts'

/** Every file that the user uploaded and that is still in use. Each step reads one file. */
export const uploads: DataFile = {
  name: 'uploads',
  async step({ ctx, uploads: store }, { userId }, place) {
    const row = await ctx.db
      .selectFrom('upload')
      .select(['name', 'purpose'])
      .where('user_id', '=', userId)
      .where('in_use', '=', true)
      .where('name', '>', place ?? '')
      .orderBy('name')
      .limit(1)
      .executeTakeFirst()
    if (row === undefined) return { content: '', next: null }
    const file = await store.read(row.name, readPurpose(row.purpose))
    // An empty file must not stand for a paper.
    if (file === null) throw new Error(`the uploaded file ${row.name} is missing in the data folder`)
    return { content: file.bytes, name: `uploads/${row.name}`, next: row.name }
  },
}
