const TEXT = 0x81
const PING = 0x89
const MAX_HEAD_BYTES = 10

/** Parses a server's frames from chunks of any size, only as far as needed to count them. */
export class FrameWalker {
  /** The number of complete text frames so far. */
  texts = 0
  private readonly onPing: () => void
  private readonly onText: ((text: string) => void) | null
  /** The start of a frame header cut by the end of a chunk. */
  private cut: Buffer | null = null
  private kind = 0
  private left = 0
  private parts: Buffer[] = []

  constructor({ onPing, onText }: { onPing: () => void; onText?: (text: string) => void }) {
    this.onPing = onPing
    this.onText = onText ?? null
  }

  walk(piece: Buffer): void {
    const bytes = this.cut === null ? piece : Buffer.concat([this.cut, piece])
    this.cut = null
    let at = this.left > 0 ? this.take(bytes, 0) : 0
    while (at < bytes.length) {
      const head = this.readHead(bytes, at)
      if (head === null) {
        this.cut = Buffer.from(bytes.subarray(at, at + MAX_HEAD_BYTES))
        return
      }
      at = this.take(bytes, at + head)
    }
  }

  /** Returns the length of the header at `at`. Null when the header is incomplete. */
  private readHead(bytes: Buffer, at: number): number | null {
    const first = bytes[at + 1]
    if (first === undefined) return null
    const head = first < 126 ? 2 : first === 126 ? 4 : MAX_HEAD_BYTES
    if (at + head > bytes.length) return null
    this.kind = bytes[at] ?? 0
    if (head === 2) this.left = first
    else this.left = head === 4 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2))
    return head
  }

  /** Consumes the available part of the body and returns the end of this part. */
  private take(bytes: Buffer, from: number): number {
    const end = Math.min(bytes.length, from + this.left)
    this.left -= end - from
    // These bytes are copied, as the caller may overwrite its buffer after this call.
    if (this.onText !== null && this.kind === TEXT) this.parts.push(Buffer.from(bytes.subarray(from, end)))
    if (this.left > 0) return end
    if (this.kind === PING) this.onPing()
    else if (this.kind === TEXT) {
      this.texts += 1
      this.onText?.(Buffer.concat(this.parts).toString())
    }
    this.parts = []
    return end
  }
}
