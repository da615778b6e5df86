// Loaded before a server: its clock is ahead or behind by CLOCK_SHIFT_MS.
const readTime = Date.now
const shiftMs = Number(process.env.CLOCK_SHIFT_MS)
Date.now = () => readTime() + shiftMs
