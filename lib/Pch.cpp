// Carries the precompiled header of lib/Pch.h.
