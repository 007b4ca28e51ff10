import { addClientSteps, addRequestSteps } from './client.ts'
import { addDispatchSteps } from './dispatch.ts'
import { addClaims, addRecoverySteps, addWatchSteps } from './recovery.ts'
import { addSupplierSteps } from './supplier.ts'
import { addNodeFaults, addOperatorBegins, addOperatorSteps, addTimeSteps } from './times.ts'
import type { Bounds, Step, Task, World } from './world.types.ts'

/** Lists everything that may happen next. */
export function listSteps(world: World, bounds: Bounds): Step[] {
  const steps: Step[] = []
  addClientSteps(steps, world, bounds)
  for (const task of world.tasks) addTaskSteps(steps, world, task, bounds)
  addClaims(steps, world, bounds)
  addSupplierSteps(steps, world, bounds)
  addTimeSteps(steps, world, bounds)
  addOperatorBegins(steps, world)
  addNodeFaults(steps, world, bounds)
  return steps
}

function addTaskSteps(steps: Step[], world: World, task: Task, bounds: Bounds): void {
  switch (task.kind) {
    case 'request':
      addRequestSteps(steps, world, task, bounds)
      return
    case 'dispatch':
      addDispatchSteps(steps, world, task, bounds)
      return
    case 'recovery':
      addRecoverySteps(steps, world, task, bounds)
      return
    case 'watch':
      addWatchSteps(steps, world, task, bounds)
      return
    case 'operator':
    case 'void':
      addOperatorSteps(steps, world, task, bounds)
      return
  }
}
