/* All of arcfit's public interface. */
#ifndef ARCFIT_ARCFIT_H
#define ARCFIT_ARCFIT_H

#include "arcfit/air.h"
#include "arcfit/ball.h"
#include "arcfit/calibration.h"
#include "arcfit/camera.h"
#include "arcfit/capture.h"
#include "arcfit/captures.h"
#include "arcfit/diagnosis.h"
#include "arcfit/error.h"
#include "arcfit/experiment.h"
#include "arcfit/fit.h"
#include "arcfit/flight.h"
#include "arcfit/joint.h"
#include "arcfit/law.h"
#include "arcfit/net.h"
#include "arcfit/predict.h"
#include "arcfit/ranking.h"
#include "arcfit/recording.h"
#include "arcfit/report.h"
#include "arcfit/result.h"
#include "arcfit/simulate.h"
#include "arcfit/solve.h"
#include "arcfit/spread.h"
#include "arcfit/text.h"
#include "arcfit/training.h"
#include "arcfit/uncertainty.h"
#include "arcfit/version.h"

#endif
