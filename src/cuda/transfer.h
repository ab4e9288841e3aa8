/* What the device needs for transfers: memory of the host that it reaches by itself.  */

#ifndef SG_CUDA_TRANSFER_H
#define SG_CUDA_TRANSFER_H

#include "../core/symgpu.h"

sg_status sg_transfer_open (void);
void sg_transfer_close (void);

#endif
