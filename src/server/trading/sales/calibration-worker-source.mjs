// Starts the thread from its sources, in development and in tests. The built server has the thread as JavaScript.
import { register } from 'tsx/esm/api'

register()
await import('./calibration-worker.ts')
